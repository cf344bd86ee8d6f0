package msbuild

// Place is a line of a file.
type Place struct {
	// File is its name within the file system.
	File string
	// Line counts from 1.
	Line int
}

// Reference is something that a project refers to.
type Reference struct {
	// Name is as written: a package, or a path within the file system.
	Name string
	// Version is as written, with properties filled in; "" if none is.
	Version string
	// Known says that Version is all that was written; without it a property
	// has no value in the files.
	Known bool
	// Override says that the version stands before the central one.
	Override bool
	// Maybe is the condition under which it counts and which the files do not
	// decide; "" if there is none.
	Maybe string
	At    Place
}

// Project is what one project file refers to.
type Project struct {
	// File is its name within the file system.
	File string
	// Packages are the references to packages, in the order of the files.
	Packages []Reference
	// Central are the versions that packages have for all projects.
	Central []Reference
	// CentralOn says whether those count; CentralPins that they count for
	// packages, too, that only other packages bring.
	CentralOn, CentralPins bool
	// Projects are the other projects that it refers to, as paths.
	Projects []Reference
	// CompileRemove and CompileInclude are the patterns of sources, relative
	// to the project's folder; NoDefaultCompile says that only included
	// sources count.
	CompileRemove, CompileInclude []string
	NoDefaultCompile              bool
	// CompileMaybe are patterns of sources that are left out under a condition
	// which the files do not decide.
	CompileMaybe []string
	// Missing are files that are imported and are not there, or whose path is
	// not known.
	Missing []Reference
	// Broken are files that could not be read, with the reason as Name.
	Broken []Reference
	// Lock is the name of the lock file.
	Lock string
}
