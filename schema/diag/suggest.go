package diag

import "strings"

// Suggest returns the candidate that name was most likely meant to be, and
// false when none is near: at most a third of the letters may differ, without
// regard to case. Among equally near candidates the first wins, so pass them
// in a fixed order.
func Suggest(name string, candidates []string) (string, bool) {
	best, bestDistance := "", len(name)/3+1
	folded := strings.ToLower(strings.TrimSpace(name))
	for _, c := range candidates {
		if d := distance(folded, strings.ToLower(c), bestDistance); d < bestDistance {
			best, bestDistance = c, d
		}
	}
	return best, best != ""
}

// distance is the optimal string alignment distance of a and b: insertions,
// deletions, substitutions and swapped neighbours cost 1 each. It returns
// limit as soon as the distance cannot be below it.
func distance(a, b string, limit int) int {
	if abs(len(a)-len(b)) >= limit {
		return limit
	}
	const usual = 3 * 64 // holds the rows of most names without the heap
	var room [usual]int
	rows, n := room[:], len(b)+1
	if 3*n > usual {
		rows = make([]int, 3*n)
	}
	before, last, row := rows[:n], rows[n:2*n], rows[2*n:3*n]
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		smallest := row[0]
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
			smallest = min(smallest, row[j])
		}
		if smallest >= limit {
			return limit
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}
