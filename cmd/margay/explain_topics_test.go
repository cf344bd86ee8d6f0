package main

import (
	"strings"
	"testing"

	"github.com/margay-dev/margay/schema/prose"
)

func TestTopicListFitsWidth(t *testing.T) {
	for _, width := range []int{40, 60, 80} {
		for line := range strings.SplitSeq(topicList(width), "\n") {
			if got := prose.Wide(line); got > width {
				t.Errorf("line of %d columns in %d: %q", got, width, line)
			}
		}
	}
}
