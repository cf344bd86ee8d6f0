package window

// grid is a ring of slots with a row of counters each, as one piece of memory
// that is allocated when something is counted for the first time. A counter
// holds a slot's few seconds, so 32 bits are plenty.
type grid struct {
	slots, columns int
	cells          []uint32 // nil until used
}

func (g *grid) add(slot, column int) {
	if g.cells == nil {
		g.cells = make([]uint32, g.slots*g.columns)
	}
	g.cells[slot*g.columns+column]++
}

// at returns a counter; those of a grid that was never used are zero.
func (g *grid) at(slot, column int) int64 {
	if g.cells == nil {
		return 0
	}
	return int64(g.cells[slot*g.columns+column])
}

func (g *grid) clearSlot(slot int) {
	if g.cells != nil {
		clear(g.cells[slot*g.columns : (slot+1)*g.columns])
	}
}

func (g *grid) clear() { clear(g.cells) }
