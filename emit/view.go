package emit

// View says how results are shown. The zero value shows all routes in 80
// columns without colour.
type View struct {
	// Width is the number of columns; 0 is 80.
	Width int
	// Color marks what matters with the colours of a terminal.
	Color bool
	// Route chooses routes as Select does; "" is all.
	Route string
	// Origin says where the profile came from, for the first line: "flag".
	Origin string
}
