"""From a settled picture to dice, or a doubt.

detect -> lines -> pose -> facets -> decide: where dice may be, their lines, the solid that fits these, what its top
shows, and whether to believe it. `fitted` holds the steps up to the pose together.
"""
