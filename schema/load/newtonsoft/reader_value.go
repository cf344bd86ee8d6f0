package newtonsoft

// readValue reads a value, the start of one, or the end of an array.
func (r *reader) readValue() (bool, error) {
	for {
		c := r.at(0)
		if c == 0 {
			if !r.has(0) {
				return false, nil
			}
			r.pos++
			continue
		}
		if r.skipBlank() {
			continue
		}
		r.start = r.pos
		return true, r.readValueStartingWith(c)
	}
}

func (r *reader) readValueStartingWith(c byte) error {
	switch c {
	case '"', '\'':
		return r.readStringValue(c)
	case 't':
		return r.readLiteral("true", boolean, "Error parsing boolean value.")
	case 'f':
		return r.readLiteral("false", boolean, "Error parsing boolean value.")
	case 'u':
		return r.readLiteral("undefined", undefined, "Error parsing undefined value.")
	case 'n':
		return r.readNullOrConstructor()
	case 'N':
		return r.readSymbol("NaN")
	case 'I':
		return r.readSymbol("Infinity")
	case '-':
		if r.has(1) && r.at(1) == 'I' {
			return r.readSymbol("-Infinity")
		}
		return r.readNumberValue()
	case '/':
		return r.readComment(keepComment)
	case '{':
		r.pos++
		return r.open(startObject)
	case '[':
		r.pos++
		return r.open(startArray)
	case ']', ')':
		r.pos++
		return r.close(closing(c))
	case ',':
		// The comma stays: it is what makes [,,] three undefined elements.
		r.end = r.pos
		r.set(undefined)
		return nil
	}
	if r.numeric() || c == '.' {
		return r.readNumberValue()
	}
	return r.fail(unexpected, r.char())
}

const unexpected = "Unexpected character encountered while parsing value: %s."

func (r *reader) readNullOrConstructor() error {
	if !r.has(1) {
		r.pos++
		return r.fail("Unexpected end when reading JSON.")
	}
	switch r.at(1) {
	case 'u':
		return r.readLiteral("null", null, "Error parsing null value.")
	case 'e':
		return r.readConstructor()
	}
	return r.fail(unexpected, r.char())
}

// readLiteral reads a word that must be followed by a separator.
func (r *reader) readLiteral(word string, t token, failure string) error {
	matched, err := r.match(word)
	if err != nil {
		return err
	}
	if !matched {
		return r.fail("%s", failure)
	}
	r.end, r.truth = r.pos, word == "true"
	r.set(t)
	return nil
}

// match steps over a word and says whether all of it was there and a
// separator follows. Otherwise it stops at the first character that differs.
func (r *reader) match(word string) (bool, error) {
	if !r.has(len(word) - 1) {
		r.pos = len(r.text)
		return false, r.fail("Unexpected end when reading JSON.")
	}
	for i := range len(word) {
		if r.at(i) != word[i] {
			r.pos += i
			return false, nil
		}
	}
	r.pos += len(word)
	return !r.has(0) || r.at(0) == 0 || r.separator(), nil
}

func (r *reader) separator() bool {
	switch r.at(0) {
	case '}', ']', ',':
		return true
	case '/':
		return r.has(1) && (r.at(1) == '*' || r.at(1) == '/')
	case ')':
		return r.state == inConstructor || r.state == atConstructorStart
	}
	return r.blank() > 0
}
