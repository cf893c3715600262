package main

import "github.com/linkmilter/linkmilter/policy"

// projectURL is where the project and its manual are.
const projectURL = "https://github.com/linkmilter/linkmilter"

// manualOf returns the URL of the section of the manual about a code.
func manualOf(code policy.Code) string {
	return projectURL + "/blob/main/docs/findings.md#" + string(code)
}
