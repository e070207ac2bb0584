"""Fast simulation of shoes and of sessions. Needs the extra `lab`."""

from baccarat.simulation.execution import simulate
from baccarat.simulation.run import Run, Simulation, Tally
from baccarat.simulation.sessions.strategies import BANKER, NO_BET, PLAYER, TIE, Strategy
from baccarat.simulation.sessions.trial import SessionLimits, Trial, TrialResult

__all__ = ["Run", "Simulation", "Tally", "simulate"]
__all__ += [
    "BANKER",
    "NO_BET",
    "PLAYER",
    "TIE",
    "SessionLimits",
    "Strategy",
    "Trial",
    "TrialResult",
]
