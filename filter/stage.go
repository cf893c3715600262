package filter

// A stage of the work on a message, for tests of what happens when it fails.
type stage string

const (
	stageRead   stage = "read"
	stagePlan   stage = "plan"
	stageDecide stage = "decide"
	stageApply  stage = "apply"
	stageVerify stage = "verify"
	stageSign   stage = "sign"
)
