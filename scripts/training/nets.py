"""Building blocks that all nets share, and their weights in ONNX files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from torch import nn

LARGE = 4096  # least number of weights of a layer that may be stored as integers


def conv(a: int, b: int, stride: int = 1, kernel: int = 3, groups: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(a, b, kernel, stride, kernel // 2, groups=groups, bias=False), nn.BatchNorm2d(b), nn.ReLU(True)
    )


def halve(model: Path) -> None:
    """Store the weights of an ONNX file in half as many bytes. They are expanded when it is opened."""
    net = onnx.load(model)
    for tensor in list(net.graph.initializer):
        if tensor.data_type == TensorProto.FLOAT and np.prod(tensor.dims) >= 64:
            small = numpy_helper.to_array(tensor).astype(np.float16)
            net.graph.initializer.remove(tensor)
            net.graph.initializer.append(numpy_helper.from_array(small, tensor.name + "_half"))
            cast = helper.make_node("Cast", [tensor.name + "_half"], [tensor.name], to=TensorProto.FLOAT)
            net.graph.node.insert(0, cast)
    onnx.checker.check_model(net)
    onnx.save(net, model)


def quarter(model: Path) -> None:
    """As `halve`, with the large layers in a quarter as many bytes: integers with one step for each output."""
    halve(model)
    net = onnx.load(model)
    graph = net.graph
    for tensor in list(graph.initializer):
        if tensor.name.endswith("_half") and np.prod(tensor.dims) >= LARGE:
            name = tensor.name.removesuffix("_half")
            weights = numpy_helper.to_array(tensor).astype(np.float32)
            most = np.abs(weights).max(axis=tuple(range(1, weights.ndim)), keepdims=True)
            step = np.maximum(most / 127, 1e-12).astype(np.float32)
            graph.initializer.remove(tensor)
            graph.node.remove(next(node for node in graph.node if node.input[0] == tensor.name))
            graph.initializer.append(numpy_helper.from_array(np.round(weights / step).astype(np.int8), name + "_int"))
            graph.initializer.append(numpy_helper.from_array(step, name + "_step"))
            graph.node.insert(0, helper.make_node("Mul", [name + "_whole", name + "_step"], [name]))
            graph.node.insert(0, helper.make_node("Cast", [name + "_int"], [name + "_whole"], to=TensorProto.FLOAT))
    onnx.checker.check_model(net)
    onnx.save(net, model)
