package main

type options struct {
	folder  string // of inputs, configurations and bin/
	repo    string
	ucd     string
	count   int
	seed    uint64
	show    int
	workers int
}
