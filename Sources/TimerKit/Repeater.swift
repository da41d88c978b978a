public final class Repeater: Sendable {
}
