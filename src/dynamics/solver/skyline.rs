//! Symmetric systems of linear equations, factorized within their skyline. Of each row, only the
//! entries from its first nonzero one to the diagonal are stored, because no other entry of the lower
//! half can become nonzero (Cholesky; see George and Liu, "Computer Solution of Large Sparse Positive
//! Definite Systems", 1981).

/// Share of its diagonal entry below which a pivot is only rounding error.
const LEAST_PIVOT: f64 = 1e-13;

/// Lower half of a matrix.
#[derive(Default)]
pub(super) struct Skyline {
    /// First column of each row.
    first: Vec<usize>,
    /// Index in `entries` of each row's first entry.
    start: Vec<usize>,
    entries: Vec<f64>,
    /// Reciprocal of each diagonal entry of the factor; zero for a row that is left out.
    inverse: Vec<f64>,
}

impl Skyline {
    pub fn clear(&mut self) {
        self.first.clear();
        self.start.clear();
        self.entries.clear();
        self.inverse.clear();
    }

    /// Reserves memory for a number of rows and entries.
    pub fn reserve(&mut self, rows: usize, entries: usize) {
        self.first.reserve(rows);
        self.start.reserve(rows);
        self.entries.reserve(entries);
        self.inverse.reserve(rows);
    }

    /// Adds a row of zeros with entries from column `first` to the diagonal.
    pub fn add_row(&mut self, first: usize) {
        let row = self.first.len();
        self.first.push(first);
        self.start.push(self.entries.len());
        self.entries.resize(self.entries.len() + row + 1 - first, 0.0);
        self.inverse.push(0.0);
    }

    /// Returns the first column of a row, and its entries from there to the diagonal.
    pub fn row(&mut self, row: usize) -> (usize, &mut [f64]) {
        let (first, start) = (self.first[row], self.start[row]);
        (first, &mut self.entries[start..=start + row - first])
    }

    /// Factorizes the matrix in place. Rows that depend linearly on earlier rows are left out: their
    /// unknown is zero.
    pub fn factorise(&mut self) {
        for row in 0..self.first.len() {
            let (first, start) = (self.first[row], self.start[row]);
            let (before, own) = self.entries.split_at_mut(start);
            let own = &mut own[..=row - first];
            for column in first..row {
                let from = self.first[column].max(first);
                let at = self.start[column] + from - self.first[column];
                let other = &before[at..at + column - from];
                let sum = dot(&own[from - first..column - first], other);
                own[column - first] = (own[column - first] - sum) * self.inverse[column];
            }
            let (left, diagonal) = (&own[..row - first], own[row - first]);
            let pivot = diagonal - dot(left, left);
            self.inverse[row] = if pivot > LEAST_PIVOT * diagonal { 1.0 / pivot.sqrt() } else { 0.0 };
        }
    }

    /// Solves the equations. `values` holds the right-hand sides, and then the solution.
    pub fn solve(&self, values: &mut [f64]) {
        for row in 0..self.first.len() {
            let first = self.first[row];
            let own = self.left_of_diagonal(row);
            values[row] = (values[row] - dot(own, &values[first..row])) * self.inverse[row];
        }
        for row in (0..self.first.len()).rev() {
            let first = self.first[row];
            let value = values[row] * self.inverse[row];
            for (entry, other) in self.left_of_diagonal(row).iter().zip(&mut values[first..row]) {
                *other -= entry * value;
            }
            values[row] = value;
        }
    }

    /// Returns the diagonal entry of the inverse matrix in `row`; 0 for a row that is left out. It is the
    /// squared length of the row's unit vector, multiplied by the inverse of the factor. `values`: a buffer
    /// of as many entries as rows.
    pub fn inverse_diagonal(&self, row: usize, values: &mut [f64]) -> f64 {
        values[row] = self.inverse[row];
        let mut sum = values[row] * values[row];
        for next in row + 1..self.first.len() {
            let from = self.first[next].max(row);
            let own = &self.left_of_diagonal(next)[from - self.first[next]..];
            values[next] = -dot(own, &values[from..next]) * self.inverse[next];
            sum += values[next] * values[next];
        }
        sum
    }

    fn left_of_diagonal(&self, row: usize) -> &[f64] {
        let (first, start) = (self.first[row], self.start[row]);
        &self.entries[start..start + row - first]
    }
}

/// Returns the dot product. Uses four independent sums, so that an addition need not wait for the
/// previous one.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let (fours_a, rest_a) = a.as_chunks::<4>();
    let (fours_b, rest_b) = b.as_chunks::<4>();
    let mut sums = [0.0; 4];
    for (x, y) in fours_a.iter().zip(fours_b) {
        for k in 0..4 {
            sums[k] += x[k] * y[k];
        }
    }
    let rest: f64 = rest_a.iter().zip(rest_b).map(|(x, y)| x * y).sum();
    (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Solves two blocks: an arrow matrix whose last row couples with all others, and a block of two
    /// rows.
    #[test]
    fn a_system_is_solved_within_its_skyline() {
        let entries = [
            (0, vec![4.0]),
            (1, vec![5.0]),
            (0, vec![1.0, 2.0, 6.0]),
            (2, vec![-1.0, 7.0]),
            (4, vec![2.0]),
            (4, vec![1.0, 3.0]),
        ];
        let wanted = [1.0, -2.0, 3.0, 0.5, -1.0, 2.0];
        let mut skyline = Skyline::default();
        let mut values = vec![0.0; 6];
        for (row, (first, own)) in entries.iter().enumerate() {
            skyline.add_row(*first);
            skyline.row(row).1.copy_from_slice(own);
            for (column, entry) in (*first..).zip(own) {
                values[row] += entry * wanted[column];
                if column < row {
                    values[column] += entry * wanted[row];
                }
            }
        }
        skyline.factorise();
        skyline.solve(&mut values);
        for (value, wanted) in values.iter().zip(wanted) {
            assert!((value - wanted).abs() < 1e-12, "{values:?}");
        }
        for row in 0..6 {
            let mut unit = vec![0.0; 6];
            unit[row] = 1.0;
            skyline.solve(&mut unit);
            let found = skyline.inverse_diagonal(row, &mut values);
            assert!((found - unit[row]).abs() < 1e-12, "{row}: {found} instead of {}", unit[row]);
        }
    }

    #[test]
    fn rows_that_repeat_others_have_no_unknown() {
        let mut skyline = Skyline::default();
        for (row, own) in [vec![2.0], vec![2.0, 2.0]].iter().enumerate() {
            skyline.add_row(0);
            skyline.row(row).1.copy_from_slice(own);
        }
        skyline.factorise();
        let mut values = vec![3.0, 3.0];
        skyline.solve(&mut values);
        assert_eq!(values[1], 0.0);
        assert!((values[0] - 1.5).abs() < 1e-12);
    }
}
