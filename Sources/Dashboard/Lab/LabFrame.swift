/// What the lab shows at one moment, as a value: whoever drives the lab makes one, the lab's view
/// draws it. Nothing in it knows how large the screen is.
package struct LabFrame: Hashable, Sendable {
  package var title: String
  /// What it is about, in half a line.
  package var about: String
  package var status: Status?
  package var blocks: [Block]
  /// What to look for: three sentences.
  package var look: [String]
  package var legend: [LegendEntry]
  package var keys: [KeyHint]

  package init(
    title: String, about: String, status: Status? = nil, blocks: [Block] = [], look: [String] = [],
    legend: [LegendEntry] = [], keys: [KeyHint] = []
  ) {
    self.title = title
    self.about = about
    self.status = status
    self.blocks = blocks
    self.look = look
    self.legend = legend
    self.keys = keys
  }

  /// A part of the picture; they stand below one another.
  package enum Block: Hashable, Sendable {
    case lanes(LabLanes)
    case table(LabTable)
    /// Without its first lines, as many as it is scrolled by.
    case code([LabCode], scroll: Int = 0)
  }

  /// How the scene's time goes.
  package struct Status: Hashable, Sendable {
    package enum Motion: Hashable, Sendable {
      case running, paused
      /// The script is over: the picture stands.
      case ended
    }

    /// `nil` where nothing goes on until a key is pressed.
    package var motion: Motion?
    /// `×1`, `×1/10`; empty where time cannot be slowed.
    package var speed: String
    /// Anything else, most important first; what does not fit is left out.
    package var words: [String]

    package init(_ motion: Motion?, speed: String = "", words: [String] = []) {
      self.motion = motion
      self.speed = speed
      self.words = words
    }
  }

  /// What can be done, and what that is called; which key does it, the bindings tell.
  package struct KeyHint: Hashable, Sendable {
    package enum Deed: Hashable, Sendable {
      case commands([LabCommand])
      case quit
    }

    package var deed: Deed
    package var label: String

    package init(_ deed: Deed, _ label: String) {
      self.deed = deed
      self.label = label
    }

    package init(_ commands: LabCommand..., label: String) {
      self.init(.commands(commands), label)
    }

    /// A key of the scene's own.
    package init(_ input: Character, _ label: String) {
      self.init(.commands([.input(input)]), label)
    }

    var isInput: Bool {
      if case .commands(let commands) = deed, case .input? = commands.first { return true }
      return false
    }
  }

  /// What a mark or a line in the lanes means.
  package struct LegendEntry: Hashable, Sendable {
    package enum Subject: Hashable, Sendable {
      case sign(LabSign)
      case line(LabLine)
    }

    package var subject: Subject
    package var meaning: String

    package init(_ sign: LabSign, _ meaning: String) {
      subject = .sign(sign)
      self.meaning = meaning
    }

    package init(_ line: LabLine, _ meaning: String) {
      subject = .line(line)
      self.meaning = meaning
    }
  }
}
