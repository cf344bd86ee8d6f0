package prose

// Block are things of which the same is said.
type Block[T any] struct {
	First *T
	Also  []*T
}

// Group gathers things of which the same is said, in the order of the first of
// each block. said returns what is said of one, and false for one that stands
// alone in any case.
func Group[T any](all []T, said func(*T) (string, bool)) []Block[T] {
	var blocks []Block[T]
	at := map[string]int{}
	for i := range all {
		text, ok := said(&all[i])
		if first, known := at[text]; ok && known {
			blocks[first].Also = append(blocks[first].Also, &all[i])
			continue
		}
		at[text] = len(blocks)
		blocks = append(blocks, Block[T]{First: &all[i]})
	}
	return blocks
}
