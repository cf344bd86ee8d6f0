package main

import (
	"fmt"
	"strings"
)

// target is a platform that margay is built for.
type target struct {
	os, arch string
	// rid is what .NET calls the platform.
	rid string
}

func targets() []target {
	return []target{
		{"darwin", "amd64", "osx-x64"},
		{"darwin", "arm64", "osx-arm64"},
		{"linux", "amd64", "linux-x64"},
		{"linux", "arm64", "linux-arm64"},
		{"windows", "amd64", "win-x64"},
		{"windows", "arm64", "win-arm64"},
	}
}

// choose returns the target with a name such as "linux/amd64", or all of them
// for the empty name.
func choose(name string) ([]target, error) {
	if name == "" {
		return targets(), nil
	}
	var names []string
	for _, t := range targets() {
		if t.String() == name {
			return []target{t}, nil
		}
		names = append(names, t.String())
	}
	return nil, fmt.Errorf("margay is not built for %q, but for %s", name, strings.Join(names, ", "))
}

func (t target) String() string { return t.os + "/" + t.arch }

// binary is the name of the program on the platform.
func (t target) binary() string {
	if t.os == "windows" {
		return "margay.exe"
	}
	return "margay"
}

// base is what the names of the platform's files begin with.
func (t target) base(version string) string { return "margay_" + version + "_" + t.os + "_" + t.arch }

// archive is the name of the platform's archive.
func (t target) archive(version string) string {
	if t.os == "windows" {
		return t.base(version) + ".zip"
	}
	return t.base(version) + ".tar.gz"
}
