//! Lines of JSON that end with a hash of themselves, so that damage is found.

use xxhash_rust::xxh3::xxh3_64;

/// Key of the hash at the end of a line.
const SEAL: &[u8] = b",\"hash\":\"";

/// Makes a line of a JSON object: adds a hash of its bytes, 16 hexadecimal digits, as the last member.
pub(super) fn sealed(mut object: Vec<u8>) -> Vec<u8> {
    let hash = format!("{:016x}", xxh3_64(&object));
    object.pop();
    object.extend_from_slice(SEAL);
    object.extend_from_slice(hash.as_bytes());
    object.extend_from_slice(b"\"}\n");
    object
}

/// Returns the JSON object of a line without its hash; `None` if the hash is missing or another one.
pub(super) fn unsealed(line: &[u8]) -> Option<Vec<u8>> {
    let body = line.strip_suffix(b"\"}\n")?;
    let (body, hash) = body.split_at_checked(body.len().checked_sub(16)?)?;
    let mut object = body.strip_suffix(SEAL)?.to_vec();
    object.push(b'}');
    (format!("{:016x}", xxh3_64(&object)).as_bytes() == hash).then_some(object)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_read_as_it_was_written_and_every_changed_byte_is_found() {
        let line = sealed(b"{\"clean\":[1,2],\"others\":[]}".to_vec());
        assert_eq!(unsealed(&line).unwrap(), b"{\"clean\":[1,2],\"others\":[]}");
        for at in 0..line.len() {
            let mut damaged = line.clone();
            damaged[at] ^= 1;
            assert_eq!(unsealed(&damaged), None, "byte {at}");
            assert_eq!(unsealed(&line[..at]), None, "cut at {at}");
        }
    }
}
