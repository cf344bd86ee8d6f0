package access_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/margay-dev/margay/runtime/access"
)

// TestTurningLosesNothing renames the file again and again, as logrotate does,
// while many goroutines write lines of many lengths.
func TestTurningLosesNothing(t *testing.T) {
	const writers, lines, turns = 8, 2000, 40
	dir := t.TempDir()
	name := filepath.Join(dir, "access.log")
	open := func() *os.File {
		file, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o640)
		if err != nil {
			t.Fatal(err)
		}
		return file
	}
	w := access.NewWriter(open(), access.Options{})
	var group sync.WaitGroup
	for writer := range writers {
		group.Go(func() {
			for i := range lines {
				fmt.Fprintf(w, "%d-%d %s .\n", writer, i, strings.Repeat("x", i%200))
			}
		})
	}
	for i := range turns {
		if err := os.Rename(name, fmt.Sprint(name, ".", i)); err != nil {
			t.Error(err)
		}
		if err := w.Turn(open()).(io.Closer).Close(); err != nil {
			t.Error(err)
		}
	}
	group.Wait()
	if err := w.Close(); err != nil {
		t.Error(err)
	}
	seen := map[string]int{}
	files, err := filepath.Glob(name + "*")
	if err != nil || len(files) != turns+1 {
		t.Fatalf("got %d files, %v", len(files), err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			id, rest, _ := strings.Cut(line, " ")
			if !strings.HasSuffix(rest, " .\n") {
				t.Errorf("%s: a torn line: %q", file, line)
			}
			seen[id]++
		}
	}
	for writer := range writers {
		for i := range lines {
			if n := seen[fmt.Sprintf("%d-%d", writer, i)]; n != 1 {
				t.Fatalf("line %d of %d is there %d times", i, writer, n)
			}
		}
	}
}

// small is a disk with room for so many bytes.
type small struct {
	mu   sync.Mutex
	text bytes.Buffer // guarded by mu
	room int          // guarded by mu
}

func (s *small) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := min(len(p), s.room)
	s.room -= n
	s.text.Write(p[:n])
	if n < len(p) {
		return n, errFull
	}
	return n, nil
}

func (s *small) grow(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.room += n
}

func (s *small) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

// TestAFullDisk breaks off in the middle of a line and goes on there.
func TestAFullDisk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var told []string
		disk := &small{room: 7}
		w := access.NewWriter(disk, access.Options{Trouble: func(err error, lost int) { told = append(told, fmt.Sprint(err, " ", lost)) }})
		write := func(text string) {
			if _, err := io.WriteString(w, text); err != nil {
				t.Error(err)
			}
			time.Sleep(2 * time.Second)
			synctest.Wait()
		}
		write("one\ntwo\n")
		if got := disk.String(); got != "one\ntwo" || len(told) != 1 {
			t.Errorf("got %q, %q", got, told)
		}
		disk.grow(100)
		write("three\n")
		if got := disk.String(); got != "one\ntwo\nthree\n" || len(told) != 2 || told[1] != "<nil> 0" {
			t.Errorf("got %q, %q", got, told)
		}
		if err := w.Close(); err != nil {
			t.Errorf("nothing was lost: %v", err)
		}
	})
}

// TestAFullDiskIsLeft turns to another one in the middle of a line: its rest
// would mean nothing there.
func TestAFullDiskIsLeft(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		lost := -1
		disk, next := &small{room: 6}, &small{room: 1 << 30}
		w := access.NewWriter(disk, access.Options{Trouble: func(_ error, n int) { lost = n }})
		fmt.Fprint(w, "one\ntwo\nthree\n")
		time.Sleep(time.Second)
		synctest.Wait()
		if before := w.Turn(next); before != disk || disk.String() != "one\ntw" || next.String() != "three\n" || lost != 1 {
			t.Errorf("got %q, then %q, %d lost", disk, next, lost)
		}
		if err := w.Close(); err != nil {
			t.Errorf("that was told before: %v", err)
		}
	})
}

// TestMemoryIsBounded writes more than may wait for a disk that stays full.
func TestMemoryIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		lost := 0
		disk := &small{}
		w := access.NewWriter(disk, access.Options{Trouble: func(_ error, n int) { lost = n }})
		line := strings.Repeat("x", 1023) + "\n"
		for range 4096 {
			fmt.Fprint(w, line)
		}
		if err := w.Close(); !errors.Is(err, errFull) {
			t.Errorf("got %v", err)
		}
		disk.grow(1 << 30)
		if err := w.Close(); !errors.Is(err, nil) {
			t.Errorf("got %v", err)
		}
		if kept := len(disk.String()) / len(line); kept != 1024 || lost != 4096-kept {
			t.Errorf("%d lines are kept, %d lost", kept, lost)
		}
	})
}
