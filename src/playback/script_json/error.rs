use crate::refusal::refusals;

refusals! {
    /// Error in the JSON of a controller, a motion or springs: the problem, what was found, the place, and advice.
    ScriptError, ScriptProblem
    JsonInvalid "CONTROLLER_JSON_INVALID"
        "the JSON can't be parsed", "Correct that place.";
    PropertyMissing "CONTROLLER_PROPERTY_MISSING"
        "a required property is missing", "Add it.";
    PropertyUnknown "CONTROLLER_PROPERTY_UNKNOWN"
        "there is no such property here", "Correct its name, or leave it out.";
    ValueWrong "CONTROLLER_VALUE_WRONG"
        "this value isn't allowed here", "Correct the value.";
    StateUnknown "CONTROLLER_STATE_UNKNOWN"
        "the layer has no such state", "Correct the name, or add the state.";
    ParameterUnknown "CONTROLLER_PARAMETER_UNKNOWN"
        "there is no such parameter", "Correct the name, or add it to the controller's parameters.";
    UnknownClip "UNKNOWN_CLIP"
        "the model has no such clip", "Correct the name, or load the model that has it.";
    UnknownNode "UNKNOWN_NODE"
        "the model has no such node", "Correct the name, or load the model that has it.";
    InstantCycle "CONTROLLER_INSTANT_CYCLE"
        "these states can follow each other endlessly without time passing",
        "Give one of the transitions a fade or an exit, or make their conditions exclude each other.";
    TooLarge "CONTROLLER_TOO_LARGE"
        "the controller exceeds a limit", "Make it smaller.";
}
