//go:build !unix

package emit_test

import "time"

func processorTime() time.Duration { return 0 }
