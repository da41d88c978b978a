/// The contents of the lab at one time, which are not drawn yet. The lab creates them and ``LabView`` draws them, at any size.
package struct LabPage: Hashable, Sendable {
  package var title: String
  /// The question that the scene answers, or the subject, in half a line.
  package var about: String
  package var status: Status?
  package var blocks: [Block]
  /// The events in one sentence or two; empty if the lanes show them.
  package var lesson = ""
  /// The lanes' names, each with its use or its fault.
  package var uses: [Term] = []
  /// The code to write, in a few lines; `nil` if there is none.
  package var advice: LabCode?
  /// Paragraphs that say what to look for. ``LabView`` joins them into one.
  package var explanation: [String]
  package var legend: [LegendEntry] = []
  /// The words of the scene that are not everyday words.
  package var terms: [Term] = []
  package var keys: [KeyHint]
  /// The source code of the scene, for a screen with room for it.
  package var code: [LabCode] = []

  package init(
    title: String = "", about: String = "", status: Status? = nil, blocks: [Block] = [],
    explanation: [String] = [], keys: [KeyHint] = []
  ) {
    self.title = title
    self.about = about
    self.status = status
    self.blocks = blocks
    self.explanation = explanation
    self.keys = keys
  }

  /// A part of the page; blocks are drawn below one another.
  package enum Block: Hashable, Sendable {
    case lanes(LabLanes)
    case table(LabTable)
    /// Source code, with the number of lines that it is scrolled by.
    case code([LabCode], scroll: Int = 0)
  }

  /// The playback of the scene: its state, its speed and other texts.
  package struct Status: Hashable, Sendable {
    package enum Playback: String, Hashable, Sendable {
      case running = "playing"
      case paused
      /// The script has ended and nothing changes.
      case ended
    }

    /// `nil` if nothing happens until a key is pressed.
    package var playback: Playback?
    /// The speed, such as `×1` or `×1/10`; empty if it cannot be changed.
    package var speed: String
    /// More texts, the most important first; those that do not fit are left out.
    package var details: [String]

    package init(_ playback: Playback?, speed: String = "", details: [String] = []) {
      self.playback = playback
      self.speed = speed
      self.details = details
    }
  }

  /// One or more commands with their keys, under a common label. A key that the scene
  /// handles itself is shown as its character; the bindings give the keys of actions.
  package struct KeyHint: Hashable, Sendable {
    package var commands: [LabCommand]
    package var label: String

    package init(_ actions: Action..., label: String) {
      commands = actions.map { .action($0) }
      self.label = label
    }

    /// Creates the hint of a key of the scene.
    package init(_ input: Character, _ label: String) {
      commands = [.input(input)]
      self.label = label
    }

    var isInput: Bool { if case .input? = commands.first { true } else { false } }
  }

  /// A word with its meaning, or a name with what it is for.
  package struct Term: Hashable, Sendable {
    package var word: String
    package var meaning: String

    package init(_ word: String, _ meaning: String) {
      self.word = word
      self.meaning = meaning
    }
  }

  /// The meaning of a mark or a line in the lanes.
  package struct LegendEntry: Hashable, Sendable {
    package enum Subject: Hashable, Sendable {
      case mark(LabMarkKind)
      case line(LabLine)
      /// A part of a level.
      case level(isUsed: Bool)

      var isMark: Bool { if case .mark = self { true } else { false } }
    }

    package var subject: Subject
    package var meaning: String

    package init(_ kind: LabMarkKind, _ meaning: String) {
      subject = .mark(kind)
      self.meaning = meaning
    }

    package init(_ line: LabLine, _ meaning: String) {
      subject = .line(line)
      self.meaning = meaning
    }

    package init(isUsed: Bool, _ meaning: String) {
      subject = .level(isUsed: isUsed)
      self.meaning = meaning
    }
  }
}

/// A table, which is also used for menus.
package struct LabTable: Hashable, Sendable {
  package struct Column: Hashable, Sendable {
    package var title: String
    package var isNumeric: Bool
    /// The minimum width, if there is room for it.
    package var width: Int

    package init(_ title: String, isNumeric: Bool = false, width: Int = 0) {
      self.title = title
      self.isNumeric = isNumeric
      self.width = width
    }
  }

  package enum Cell: Hashable, Sendable {
    case text(String, Role = .text)
    case mark(LabMarkKind)

    var role: Role {
      switch self {
      case .text(_, let role): role
      case .mark(let kind): kind.role(inInputLane: false)
      }
    }
  }

  package var columns: [Column]
  package var rows: [[Cell]]
  /// The selected row. If not all rows fit, those around it are shown.
  package var selected: Int?

  package init(_ columns: [Column], _ rows: [[Cell]], selected: Int? = nil) {
    self.columns = columns
    self.rows = rows
    self.selected = selected
  }
}

/// A piece of source code.
package struct LabCode: Hashable, Sendable {
  package var title: String
  /// A Boolean value that indicates whether the code shows what not to do.
  package var isCounterexample: Bool
  package var lines: [String]

  package init(_ title: String, isCounterexample: Bool, lines: [String]) {
    self.title = title
    self.isCounterexample = isCounterexample
    self.lines = lines
  }
}

/// A command to the lab.
package enum LabCommand: Hashable, Sendable {
  /// An action of the lab, such as "step".
  case action(Action)
  /// Opens the scene with a name.
  case open(String)
  /// A key of the scene.
  case input(Character)
}
