package newtonsoft

// readConstructor reads JavaScript's "new Name(". Newtonsoft accepts it, and
// .NET's own parser then refuses what is written again.
func (r *reader) readConstructor() error {
	matched, err := r.match("new")
	if err != nil {
		return err
	}
	if !matched {
		return r.fail("Unexpected content while parsing JSON.")
	}
	r.skipBlanks()
	start := r.pos
	end, err := r.skipConstructorName()
	if err != nil {
		return err
	}
	r.skipBlanks()
	if r.at(0) != '(' {
		return r.fail(badConstructor, r.char())
	}
	r.pos++
	r.str = str{raw: r.text[start:end]}
	return r.open(startConstructor)
}

const badConstructor = "Unexpected character while parsing constructor: %s."

func (r *reader) skipConstructorName() (end int, err error) {
	for {
		end = r.pos
		switch c := r.at(0); {
		case c == 0:
			if !r.has(0) {
				return end, r.fail("Unexpected end while parsing constructor.")
			}
			r.pos++
			return end, nil
		case c == '(' || r.skipBlank():
			return end, nil
		case c != '_' && c != '$' && r.identifier():
			r.pos += r.width()
		default:
			return end, r.fail(badConstructor, r.char())
		}
	}
}
