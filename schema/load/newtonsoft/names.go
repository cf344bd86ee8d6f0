package newtonsoft

import (
	"strings"

	"github.com/margay-dev/margay/schema/load/ordinal"
	"github.com/margay-dev/margay/schema/syntax"
)

// names are the members of one object in order. Small objects are searched
// from the front by hash; large ones through an index.
type names struct {
	hashes []uint32
	ids    []syntax.ID
	index  map[uint32][]int
}

// indexed is how many members make an index worth its memory.
const indexed = 32

func (s *names) reset() {
	s.hashes, s.ids = s.hashes[:0], s.ids[:0]
	clear(s.index)
}

// add notes a member. It returns the earlier member of exactly the same name,
// whose place id takes, with the member before that; and whether the name
// makes the object irregular: equal to another but for case, or with a colon.
func (s *names) add(tree *syntax.Tree, name string, id syntax.ID) (before, same syntax.ID, irregular bool) {
	hash := ordinal.Hash(name)
	irregular = strings.IndexByte(name, ':') >= 0
	for i := range s.candidates(hash) {
		other := tree.Key(s.ids[i])
		if other == name {
			same = s.ids[i]
			if i > 0 {
				before = s.ids[i-1]
			}
			s.ids[i] = id
			return before, same, irregular
		}
		irregular = irregular || ordinal.Equal(other, name)
	}
	s.append(hash, id)
	return 0, 0, irregular
}

// candidates yields the places of members with a hash.
func (s *names) candidates(hash uint32) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		if len(s.ids) > indexed {
			for _, i := range s.index[hash] {
				if !yield(i) {
					return
				}
			}
			return
		}
		for i, h := range s.hashes {
			if h == hash && !yield(i) {
				return
			}
		}
	}
}

func (s *names) append(hash uint32, id syntax.ID) {
	s.hashes, s.ids = append(s.hashes, hash), append(s.ids, id)
	if len(s.ids) <= indexed {
		return
	}
	if s.index == nil {
		s.index = map[uint32][]int{}
	}
	if len(s.index) == 0 {
		for i, h := range s.hashes {
			s.index[h] = append(s.index[h], i)
		}
		return
	}
	s.index[hash] = append(s.index[hash], len(s.ids)-1)
}
