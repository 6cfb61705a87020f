// The umbrella: one import for the core and the providers that need no system library.
@_exported public import FerryCore
@_exported public import FerryLocal
@_exported public import FerryMemory
