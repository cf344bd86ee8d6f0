package load

import (
	"cmp"
	"math/bits"
	"strconv"
	"strings"

	"github.com/margay-dev/margay/schema/load/ordinal"
)

// compareKeys orders two steps of configuration keys as .NET does: integers
// first, by value, then the others without regard to case.
func compareKeys(a, b string) int {
	x, aNumber := integerKey(a)
	y, bNumber := integerKey(b)
	switch {
	case aNumber && bNumber:
		return cmp.Compare(x, y)
	case aNumber:
		return -1
	case bNumber:
		return 1
	}
	return ordinal.Compare(a, b)
}

func integerKey(s string) (int32, bool) {
	n, err := strconv.ParseInt(strings.Trim(s, " \t\n\v\f\r"), 10, 32)
	return int32(n), err == nil && !strings.Contains(s, "_")
}

// introsort sorts as .NET's List.Sort does. Which of several equal keys comes
// first is of no meaning there, but it decides how a key is spelled, so the
// order must be the same one: insertion sort up to 16 keys, above that
// quicksort with the median of three, and heap sort when that goes too deep.
func introsort(keys []string) {
	if len(keys) > 1 {
		introsortTo(keys, 2*bits.Len(uint(len(keys))))
	}
}

func introsortTo(keys []string, depth int) {
	for len(keys) > 16 {
		if depth == 0 {
			heapsort(keys)
			return
		}
		depth--
		p := partition(keys)
		introsortTo(keys[p+1:], depth)
		keys = keys[:p]
	}
	insertionSort(keys)
}

func partition(keys []string) int {
	last := len(keys) - 1
	middle := last / 2
	order(keys, 0, middle)
	order(keys, 0, last)
	order(keys, middle, last)
	pivot := keys[middle]
	swap(keys, middle, last-1)
	left, right := 0, last-1
	for left < right {
		for left++; compareKeys(keys[left], pivot) < 0; left++ {
		}
		for right--; compareKeys(pivot, keys[right]) < 0; right-- {
		}
		if left >= right {
			break
		}
		swap(keys, left, right)
	}
	swap(keys, left, last-1)
	return left
}

func order(keys []string, i, j int) {
	if compareKeys(keys[i], keys[j]) > 0 {
		swap(keys, i, j)
	}
}

func swap(keys []string, i, j int) { keys[i], keys[j] = keys[j], keys[i] }

// insertionSort is stable; so are the exchanges that .NET uses for two and
// three keys, except for the last of the three.
func insertionSort(keys []string) {
	switch len(keys) {
	case 0, 1:
		return
	case 3:
		order(keys, 0, 1)
		order(keys, 0, 2)
		order(keys, 1, 2)
		return
	}
	for i := 1; i < len(keys); i++ {
		key, at := keys[i], i
		for ; at > 0 && compareKeys(key, keys[at-1]) < 0; at-- {
			keys[at] = keys[at-1]
		}
		keys[at] = key
	}
}

func heapsort(keys []string) {
	for i := len(keys) / 2; i >= 1; i-- {
		sink(keys, i, len(keys))
	}
	for n := len(keys); n > 1; n-- {
		swap(keys, 0, n-1)
		sink(keys, 1, n-1)
	}
}

// sink moves the i-th key, counted from 1, down to its place in a heap of n.
func sink(keys []string, i, n int) {
	key := keys[i-1]
	for i <= n/2 {
		child := 2 * i
		if child < n && compareKeys(keys[child-1], keys[child]) < 0 {
			child++
		}
		if compareKeys(key, keys[child-1]) >= 0 {
			break
		}
		keys[i-1] = keys[child-1]
		i = child
	}
	keys[i-1] = key
}
