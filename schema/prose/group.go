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

// AlsoAt names the others of a block, each with its place where that is not the
// one of the first: all of them where the view is verbose. named returns the
// name of a thing and its place, "" for none.
func AlsoAt[T any](v View, b *Block[T], named func(*T) (name, place string)) string {
	_, first := named(b.First)
	names := make([]string, 0, len(b.Also))
	for _, other := range b.Also {
		name, place := named(other)
		if place != "" && place != first {
			name += " (" + place + ")"
		}
		names = append(names, name)
	}
	return v.Also(names)
}
