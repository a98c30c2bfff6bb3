"""Common layers of all networks, and compression of their ONNX files."""

from __future__ import annotations

import math
from itertools import pairwise
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from torch import nn

LARGE = 4096  # minimum number of weights of a layer to be stored as integers


def conv(a: int, b: int, stride: int = 1, kernel: int = 3, groups: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(a, b, kernel, stride, kernel // 2, groups=groups, bias=False), nn.BatchNorm2d(b), nn.ReLU(True)
    )


def halve(model: Path) -> None:
    """Store an ONNX file's weights in half precision. They are expanded when it is loaded."""
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
    """Like `halve`, with large layers as 8-bit integers with one scale per output."""
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


def start_from(net: nn.Module, model: Path, lessons: torch.Tensor) -> None:
    """Load weights that `quarter` stored into a network, to continue training from an ONNX file. The file has no batch
    norms, so they are estimated from these `lessons` (n, 3, height, width), and the network's outputs match the file's.
    Layers are paired in order of execution."""
    graph = onnx.load(model).graph
    stored = {one.name: numpy_helper.to_array(one).astype(np.float32) for one in graph.initializer}
    for node in graph.node:
        if node.op_type in ("Cast", "Mul") and all(name in stored for name in node.input):
            stored[node.output[0]] = math.prod(stored[name] for name in node.input)
    weights = [[stored[name] for name in node.input[1:]] for node in graph.node if node.op_type in ("Conv", "Gemm")]
    layers: list[nn.Module] = []
    seen: dict[nn.Module, torch.Tensor] = {}

    def note(layer: nn.Module, given: tuple[torch.Tensor, ...], _: torch.Tensor) -> None:
        layers.append(layer)
        seen[layer] = given[0]

    hooks = [
        one.register_forward_hook(note)
        for one in net.modules()
        if isinstance(one, (nn.Conv2d, nn.Linear, nn.BatchNorm2d))
    ]
    with torch.no_grad():
        net.eval()(lessons[:1])
        norms = dict(pairwise(layers))
        left = iter(weights)
        for layer in layers:
            if isinstance(layer, nn.BatchNorm2d):
                continue
            weight, *bias = (torch.from_numpy(np.array(one, np.float32)) for one in next(left))
            layer.weight.copy_(weight)
            norm = norms.get(layer)
            if isinstance(norm, nn.BatchNorm2d):
                norm.running_mean.zero_()
                norm.running_var.fill_(1 - norm.eps)
                norm.weight.fill_(1)
                norm.bias.copy_(bias[0])
            elif bias:
                layer.bias.copy_(bias[0])
        net(lessons)
        for norm, given in seen.items():
            if isinstance(norm, nn.BatchNorm2d):
                mean, var = given.mean((0, 2, 3)), given.var((0, 2, 3))
                norm.running_mean.copy_(mean)
                norm.running_var.copy_(var)
                norm.weight.copy_(torch.sqrt(var + norm.eps))
                norm.bias.add_(mean)
    for hook in hooks:
        hook.remove()
    net.train()
