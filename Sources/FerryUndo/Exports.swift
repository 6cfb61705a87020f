// One import for whoever works with this target.
@_exported public import FerryCore
