package listen

// hand hands out what is cleared.
func (c *strict) hand(p []byte) int {
	n := copy(p, c.held[:c.cleared])
	c.cleared -= n
	c.drop(n)
	return n
}

// drop takes bytes off what is held.
func (c *strict) drop(n int) {
	if c.held = c.held[n:]; len(c.held) == 0 {
		c.release()
	}
}

// release gives the memory of what was held back.
func (c *strict) release() {
	if c.store != nil {
		c.rules.stores.Put(c.store)
	}
	c.held, c.memory, c.store = nil, nil, nil
}

// hold keeps bytes behind those that are held.
func (c *strict) hold(b []byte) {
	if len(b) > 0 {
		n := copy(c.room(len(b)), b)
		c.held = c.held[:len(c.held)+n]
	}
}

// more reads on behind what is held.
func (c *strict) more() error {
	n, err := c.Conn.Read(c.room(1))
	if c.held = c.held[:len(c.held)+n]; n > 0 {
		return nil
	}
	return err
}

// room returns the memory behind what is held, of at least n bytes.
func (c *strict) room(n int) []byte {
	size := len(c.held)
	switch {
	case cap(c.held)-size >= n:
	case size+n <= len(c.memory):
		c.held = c.memory[:copy(c.memory, c.held)]
	case size+n <= holdSize:
		store, ok := c.rules.stores.Get().(*[holdSize]byte)
		if !ok {
			store = new([holdSize]byte)
		}
		c.store, c.memory, c.held = store, store[:], store[:0]
	default:
		memory := make([]byte, 2*(size+n))
		copy(memory, c.held)
		c.release()
		c.memory, c.held = memory, memory[:size]
	}
	return c.held[len(c.held):cap(c.held)]
}
