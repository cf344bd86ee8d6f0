//go:build unix

package listen

import "syscall"

// AffordableConnections returns how many connections of clients the limit of
// open files allows: each may need one to a backend too, and some are for
// everything else. 0 is no bound.
func AffordableConnections() int {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil || limit.Cur > 1<<31 {
		return 0
	}
	const others = 64
	return max((int(limit.Cur)-others)/2, 1)
}
