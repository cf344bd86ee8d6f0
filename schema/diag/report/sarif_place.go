package report

import (
	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"

	"github.com/margay-dev/margay/schema/source"
)

// sarifLocation returns a place. A finding without one is about the folder:
// GitHub refuses the whole file if a result has no location.
func sarifLocation(s source.Span, base Base) *sarif.Location {
	place := sarif.NewPhysicalLocation()
	if s.File == nil {
		return sarif.NewLocationWithPhysicalLocation(place.WithArtifactLocation(sarifArtifact(base.name(""))))
	}
	return sarif.NewLocationWithPhysicalLocation(place.WithArtifactLocation(sarifArtifact(base.name(s.File.Name))).WithRegion(sarifRegion(s)))
}

func sarifArtifact(name string) *sarif.ArtifactLocation {
	uri, relative := uriOf(name)
	artifact := sarif.NewSimpleArtifactLocation(uri)
	if relative {
		artifact.WithURIBaseID(root)
	}
	return artifact
}

// sarifRegion gives a region in lines and in bytes. Columns count UTF-16
// units, which is what readers take them for that do not look at the kind.
// Bytes count from the start of the file on disk, its byte order mark included.
func sarifRegion(s source.Span) *sarif.Region {
	from, to := s.Position(), s.EndPosition()
	offset := s.File.ByteOffset(s.Start)
	return sarif.NewRegion().
		WithStartLine(from.Line).WithStartColumn(from.Column16).
		WithEndLine(to.Line).WithEndColumn(to.Column16).
		WithByteOffset(offset).WithByteLength(s.File.ByteOffset(s.End) - offset)
}
