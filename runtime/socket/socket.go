// Package socket reads and writes sockets that do not block, without telling Go
// that a goroutine may be away: nothing is ever waited for in the system, but on
// a busy machine something else may run in between, and Go would hand the
// goroutine's place to another thread, which costs more than the call.
//
// [Wrap] gives a TCP connection such calls; [Read] and [Write] are for whoever
// has a syscall.RawConn. Where the system is none that they are made for,
// connections stay as they are.
package socket
