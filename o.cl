 0   0.1            0 | [Herons] | 0 | Kilns  1 | [H]  Home team: high roll | Roll the d20.
 1   0.4 <y>        0 | [Herons] | 0 | Kilns  1 | [H]  Home team: high roll | The dice are moving.
 2   1.7            0 | [Herons] | 0 | Kilns  1 | [H]  Home team: high roll | Roll the d20.
 3   2.1            Herons rolled | [9] | OK now < > change
 4   3.5            0 | Herons | 0 | [Kilns]  1 | [K]  Home team: high roll | Roll the d20.
 5   6.2            Copperhill Kilns: roll | the d20. The higher of | both rolls is the home | team. | [K]  Home team: high roll | Roll the d20.
