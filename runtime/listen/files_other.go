//go:build !unix

package listen

// AffordableConnections returns 0, no bound: the system has no limit of open
// files.
func AffordableConnections() int { return 0 }
