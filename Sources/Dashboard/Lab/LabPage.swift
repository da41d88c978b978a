/// The contents of the lab at one time, which are not drawn yet. The lab creates them and ``LabView`` draws them, at any size.
package struct LabPage: Hashable, Sendable {
  package var title: String
  /// The question that the scene answers, or the subject, in half a line.
  package var about: String
  package var status: Status?
  /// The picture of the scene; `nil` if there is none yet.
  package var lanes: LabLanes?
  /// The measured results of the scene's variants; `nil` if there are none.
  package var tally: LabTally?
  /// The menu of scenes; `nil` for the page of a scene.
  package var menu: LabMenu?
  /// The number of lines by which the whole text is scrolled; `nil` if the picture is shown instead of it.
  package var textOffset: Int?
  /// The events of the picture in one sentence or two, with the verdict on them; `nil` if the uses say it.
  package var lesson: Lesson?
  /// The variants, each with its use or its fault.
  package var uses: [Use] = []
  /// The code of the variant that fails; `nil` if there is none.
  package var wrongCode: LabCode?
  /// The code to write, in a few lines; `nil` if there is none.
  package var advice: LabCode?
  /// Paragraphs that say why it happens. ``LabView`` joins them into one.
  package var explanation: [String]
  package var legend: [LegendEntry] = []
  /// The words of the scene that are not everyday words.
  package var terms: [Term] = []
  package var keys: [KeyHint]
  /// The source code of the scene.
  package var code: [LabCode] = []

  package init(
    title: String = "", about: String = "", status: Status? = nil, lanes: LabLanes? = nil,
    explanation: [String] = [], keys: [KeyHint] = []
  ) {
    self.title = title
    self.about = about
    self.status = status
    self.lanes = lanes
    self.explanation = explanation
    self.keys = keys
  }

  /// The verdict on a variant.
  package enum Verdict: Hashable, Sendable {
    case right
    /// Right for some purposes only.
    case limited
    case wrong
  }

  /// A variant, by the name of its lane, with what it is for or why it fails.
  package struct Use: Hashable, Sendable {
    package var lane: String
    package var verdict: Verdict
    package var meaning: String

    package init(_ lane: String, _ verdict: Verdict, _ meaning: String) {
      self.lane = lane
      self.verdict = verdict
      self.meaning = meaning
    }
  }

  /// A sentence about the picture.
  package struct Lesson: Hashable, Sendable {
    package var text: String
    package var isWrong: Bool

    package init(_ text: String, isWrong: Bool) {
      self.text = text
      self.isWrong = isWrong
    }
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

    /// Creates a remark about the keys before it.
    package init(remark: String) {
      commands = []
      label = remark
    }

    var isInput: Bool { if case .input? = commands.first { true } else { false } }
  }

  /// A word with its meaning.
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

/// The number of wrong runs of each variant, all of equally many runs, so that the numbers can be compared.
package struct LabTally: Hashable, Sendable {
  package struct Row: Hashable, Sendable {
    package var name: String
    package var wrong: Int
    /// The number of runs so far.
    package var done: Int
    /// A remark about the runs, such as when they go wrong; empty for none.
    package var remark: String

    package init(_ name: String, wrong: Int, done: Int, remark: String = "") {
      self.name = name
      self.wrong = wrong
      self.done = done
      self.remark = remark
    }
  }

  package var rows: [Row]
  /// The number of runs of each variant.
  package var runs: Int
  /// The variant in the picture.
  package var selected: Int

  package init(_ rows: [Row], of runs: Int, selected: Int) {
    self.rows = rows
    self.runs = runs
    self.selected = selected
  }
}

/// The menu: groups of scenes, side by side.
package struct LabMenu: Hashable, Sendable {
  package struct Group: Hashable, Sendable {
    package var title: String
    /// The names of the scenes.
    package var scenes: [String]

    package init(_ title: String, _ scenes: [String]) {
      self.title = title
      self.scenes = scenes
    }
  }

  package var groups: [Group]
  /// The name of the highlighted scene.
  package var selected: String
  /// The page of the highlighted scene, which plays. An array, because a page cannot contain another one.
  package var preview: [LabPage]

  package init(_ groups: [Group], selected: String, preview: [LabPage] = []) {
    self.groups = groups
    self.selected = selected
    self.preview = preview
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
  /// Highlights the scene with a name in the menu, or opens it if it is highlighted.
  case choose(String)
  /// A key of the scene.
  case input(Character)
}
