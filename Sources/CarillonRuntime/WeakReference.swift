/// A weak reference for closures that are created before the object that they call.
@MainActor
final class WeakReference<Object: AnyObject> {
  weak var object: Object?
}
