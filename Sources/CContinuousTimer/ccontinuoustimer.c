// The target is a header; a target needs a source file.
