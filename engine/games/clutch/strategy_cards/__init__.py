"""Strategy cards, coaches, stadiums and weather: windows, which cards may be played, and what they do.

`windows` opens a window, `playable` says which cards fit, and `apply` carries out their effects. Below them are hands,
effects on cards, runners and results, the sentences for managers, and mutes. Substitutions, running and the at-bat
import this folder. It reaches them only through `State.actions`.
"""
