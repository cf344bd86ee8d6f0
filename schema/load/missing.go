package load

import "io/fs"

// missing is the exception for a required file that is not there.
func (l *loader) missing(name string) *Failure {
	return &Failure{
		Type: "System.IO.FileNotFoundException",
		Message: "The configuration file '" + name + "' was not found and is not optional. The expected physical path was '" +
			l.folder.Path(l.folder.inside(name)) + "'.",
	}
}

// stop ends loading with a failure.
func (l *loader) stop(f *Failure) error {
	l.result.fail(f)
	return nil
}

func (l *loader) exists(name string) bool {
	_, err := fs.Stat(l.folder.FS, l.folder.inside(name))
	return err == nil
}

func (l *loader) noDirectory(name string) *Failure {
	return &Failure{Type: "System.IO.DirectoryNotFoundException",
		Message: "Could not find a part of the path '" + l.folder.Path(l.folder.inside(name)) + "'."}
}
