extension ScriptedTransport.Answer {
    /// The refusal for a path where there is nothing.
    static let missing = refusal(#"{".tag":"path","path":{".tag":"not_found"}}"#)
}
