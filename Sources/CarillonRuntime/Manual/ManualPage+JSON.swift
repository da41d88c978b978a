extension ManualPage {
  /// The members of the JSON objects that commands print, with their units.
  static let json = #"""
    .SH JSON
    With
    .BR \-\-json ,
    each line is an object. Members without a value are absent. Times are in ISO 8601 and UTC, with milliseconds.
    .SS carillon status, carillon ctl list
    .TP
    .B name
    The name; without one, the kind of the timer with its settings, such as
    .BR "every 45s" .
    .TP
    .B timer
    The timer as on the command line.
    .TP
    .B state
    .BR idle ", " running ", " paused " or " finished .
    .TP
    .B phase
    The phase of a cycle.
    .TP
    .B left
    The seconds until the next fire.
    .TP
    .B over
    The overtime in seconds.
    .TP
    .B text
    The time as a board shows it, such as
    .BR 2:31 .
    .TP
    .B iterations
    The number of fires or rounds left;
    .B null
    for a timer without end.
    .TP
    .B group
    The name of its group.
    .TP
    .B roundsLeft
    The number of rounds left of a chain, for a timer with a count after
    .BR then .
    .TP
    .B at
    The time of the next fire.
    .SS carillon run, carillon ctl watch
    The events of
    .BR carillon\-protocol (7).
    .B carillon run
    prints only those with a fire, and these without
    .BR id ", " group ", " state ", " left " and " text .
    In addition, it prints an event
    .B command
    at the end of each command, with the
    .B status
    of its exit and its
    .B result
    as text.
    .SS carillon history
    An object for each stretch, as in the files.
    .TP
    .B v
    The version of the format.
    .TP
    .BR id ", " timer ", " kind
    The identifier; the name or, without one, the kind; and
    .BR once ", " every ", " cycle " or " stopwatch .
    .TP
    .BR phase ", " round
    The phase of a cycle, and the number of its round.
    .TP
    .B session
    The name of the session.
    .TP
    .BR start ", " end
    Their times.
    .TP
    .B zone
    The time zone in which it was recorded, such as
    .BR Europe/Berlin .
    .TP
    .B ending
    .BR finished ", " reset ", " skipped ", " edited ", " deleted ", or " ended
    if its process ended without saving it.
    .TP
    .BR plannedMs ", " activeMs
    The planned time, and the time without pauses, in milliseconds.
    .TP
    .BR interruptions ", " pauses
    The number of pauses by the user; and a list of the first hundred pauses, including times in which no process ran
    the timer, each as two numbers: the milliseconds from the start of the stretch to the start of the pause, and the
    length of the pause in milliseconds.
    .TP
    .BR fires ", " missed
    The numbers of fires, and of those that were merged into later ones.
    .TP
    .BR result ", " note ", " command
    The result of the last command, the note and the command.
    .SS carillon stats
    .TP
    .BR activeMs ", " stretches ", " finished ", " interruptions
    The time without pauses in milliseconds, and the numbers of stretches, of those that finished, and of pauses.
    .TP
    .BR byDay ", " byWeek ", " byName
    The same four for each day, each week by its Monday, and each name.
    .TP
    .B days
    The number of days with recorded time.
    .TP
    .BR currentStreak ", " longestStreak
    The numbers of consecutive days with recorded time.
    .TP
    .B longest
    The longest stretch.
    .TP
    .B unreadableLines
    The number of lines of the history that could not be read.

    """#
}
