//! Files that replace others. At any moment, either the old file or the new file is there, and it is
//! complete.

use std::fs;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use tumble::files::{Draft, Existing, STAGING, Staging, write};

fn names(folder: &Path) -> Vec<String> {
    let name = |e: std::io::Result<fs::DirEntry>| e.unwrap().file_name().into_string().unwrap();
    let mut names: Vec<String> = fs::read_dir(folder).unwrap().map(name).collect();
    names.sort();
    names
}

/// Creates a folder with one old file.
fn with_old(name: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, "old").unwrap();
    (folder, path)
}

#[test]
fn until_it_is_settled_a_draft_leaves_the_old_file() {
    let (folder, path) = with_old("part.obj");
    let mut draft = Draft::create(&path).unwrap();
    draft.write_all(b"half of the ne").unwrap();
    assert_eq!(names(folder.path()), [".part.obj.tumble-unfinished", "part.obj"]);
    assert_eq!(fs::read(&path).unwrap(), b"old");
    drop(draft);
    assert_eq!((names(folder.path()), fs::read(&path).unwrap()), (vec!["part.obj".into()], b"old".to_vec()));
    write(&path, b"new", Existing::Replace).unwrap();
    assert_eq!((names(folder.path()), fs::read(&path).unwrap()), (vec!["part.obj".into()], b"new".to_vec()));
}

#[test]
fn the_next_write_replaces_the_remains_of_a_kill() {
    let (folder, path) = with_old("part.obj");
    fs::write(folder.path().join(".part.obj.tumble-unfinished"), "a long file that a kill cut off").unwrap();
    write(&path, b"new", Existing::Replace).unwrap();
    assert_eq!((names(folder.path()), fs::read(&path).unwrap()), (vec!["part.obj".into()], b"new".to_vec()));
}

#[test]
fn a_file_that_appears_meanwhile_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("part.obj");
    let mut draft = Draft::create(&path).unwrap();
    fs::write(&path, "of another program").unwrap();
    assert_eq!(draft.settle(Existing::Keep).unwrap_err().kind(), ErrorKind::AlreadyExists);
    drop(draft);
    assert_eq!(fs::read(&path).unwrap(), b"of another program");
    assert_eq!(names(folder.path()), ["part.obj"]);
}

#[test]
fn a_file_is_written_by_one_at_a_time() {
    let (folder, path) = with_old("part.obj");
    let mut first = Draft::create(&path).unwrap();
    assert_eq!(Draft::create(&path).unwrap_err().kind(), ErrorKind::ResourceBusy);
    first.write_all(b"first").unwrap();
    first.settle(Existing::Replace).unwrap();
    // The file is still open, because a recording continues to grow.
    assert_eq!(Draft::create(&path).unwrap_err().kind(), ErrorKind::ResourceBusy);
    assert_eq!(names(folder.path()), ["part.obj"]);
    drop(first);
    write(&path, b"second", Existing::Replace).unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"second");
}

#[test]
fn long_names_and_names_that_are_not_text_are_written() {
    let folder = tempfile::tempdir().unwrap();
    write(&folder.path().join("ß".repeat(127)), b"new", Existing::Keep).unwrap();
    #[cfg(target_os = "linux")]
    {
        use std::os::unix::ffi::OsStrExt;
        let name = std::ffi::OsStr::from_bytes(b"j\xff.csv");
        write(&folder.path().join(name), b"new", Existing::Keep).unwrap();
        assert_eq!(fs::read(folder.path().join(name)).unwrap(), b"new");
    }
}

#[cfg(unix)]
#[test]
fn links_stay_links_and_permissions_stay() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let (folder, path) = with_old("part.obj");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    let link = folder.path().join("link.obj");
    symlink("part.obj", &link).unwrap();
    write(&link, b"new", Existing::Replace).unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::read(&path).unwrap(), b"new");
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
    // A link under the temporary name leads to a user's file.
    let thesis = folder.path().join("thesis.txt");
    fs::write(&thesis, "years of work").unwrap();
    symlink("thesis.txt", folder.path().join(".part.obj.tumble-unfinished")).unwrap();
    let error = write(&path, b"newer", Existing::Replace).unwrap_err();
    assert!(error.to_string().contains("is not a regular file"), "{error}");
    assert_eq!(
        (fs::read(&path).unwrap(), fs::read(&thesis).unwrap()),
        (b"new".into(), b"years of work".into())
    );
}

#[test]
fn a_set_takes_its_names_together_or_not_at_all() {
    let (folder, path) = with_old("page.html");
    let begin = || Staging::begin(folder.path());
    let staging = begin().unwrap();
    assert_eq!(begin().unwrap_err().kind(), ErrorKind::ResourceBusy);
    for name in ["data.json", "page.html"] {
        fs::write(staging.folder().join(name), "new").unwrap();
    }
    drop(staging);
    assert_eq!((names(folder.path()), fs::read(&path).unwrap()), (vec!["page.html".into()], b"old".to_vec()));

    // A file blocks the place of one file of the set. So none is placed, and none is lost.
    let staging = begin().unwrap();
    for name in ["data.json", "page.html"] {
        fs::write(staging.folder().join(name), "new").unwrap();
    }
    let staged = staging.folder().to_owned();
    let error = staging.place(&[], Existing::Keep).unwrap_err();
    assert!(error.to_string().contains("page.html: is there already"), "{error}");
    assert_eq!(
        (names(folder.path()), fs::read(&path).unwrap()),
        (vec![STAGING.into(), "page.html".into()], b"old".to_vec())
    );
    assert_eq!(names(&staged), ["data.json", "lock", "page.html"]);

    // The next set starts without the files that were left.
    let staging = begin().unwrap();
    assert_eq!(names(staging.folder()), ["lock"]);
    fs::write(staging.folder().join("page.html"), "newer").unwrap();
    staging.place(&[], Existing::Replace).unwrap();
    assert_eq!(
        (names(folder.path()), fs::read(&path).unwrap()),
        (vec!["page.html".into()], b"newer".to_vec())
    );
}
