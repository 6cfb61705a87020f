/// One piece of work of a connection: commands, and maybe a transfer behind them.
struct CurlCall: Sendable {
    /// The transfer over a data connection.
    enum Transfer: Sendable {
        /// Nothing.
        case none
        /// A listing that a command asks for.
        case listing(FTPCommand)
        /// A file's content.
        case retrieval(FTPPath)
        /// A file's new content, or what is put behind the old one.
        case storing(FTPPath, length: Int64?, appends: Bool)
    }

    /// Sent first; whatever their replies, the next one follows.
    var commands: [FTPCommand] = []

    /// Sent right before the command of the transfer; a refusal ends the call.
    var immediately: [FTPCommand] = []

    var transfer = Transfer.none

    /// Indicates whether little of a file is wanted, so that the system should not take more from the line than that.
    var isBrief = false

    /// How long the server may be silent.
    var patience: Duration = .seconds(60)
}
