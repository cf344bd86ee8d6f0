package diag

import "github.com/margay-dev/margay/schema/source"

// Rewrite returns the bytes to write for a file with the edits of Apply made:
// in the file's encoding and with its byte order mark. Bytes outside of the
// edits stay as they are, even those that are not valid in the encoding.
func Rewrite(file *source.File, edits []Edit) []byte {
	raw := file.Raw()
	var out []byte
	done := 0
	for _, e := range inOrder(file, edits) {
		start, end := file.ByteOffset(e.Span.Start), file.ByteOffset(e.Span.End)
		text := file.Encoding.Encode([]byte(e.NewText))[len(file.Encoding.Mark()):]
		out = append(append(out, raw[done:start]...), text...)
		done = end
	}
	return append(out, raw[done:]...)
}
