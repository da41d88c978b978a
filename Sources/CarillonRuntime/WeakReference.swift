/// A reference to an object for closures that are created before it.
@MainActor
final class WeakReference<Object: AnyObject> {
  weak var object: Object?
}
