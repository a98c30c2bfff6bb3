"""Building blocks that all nets share, and their weights in ONNX files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import torch
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


def average(one: Path, other: Path, out: Path) -> None:
    """Write the average of two ONNX files of one net, of which one continued from the other."""
    first, net = onnx.load(one), onnx.load(other)
    for ours, tensor in zip(first.graph.initializer, net.graph.initializer, strict=True):
        weights = numpy_helper.to_array(tensor)
        if weights.dtype in (np.float16, np.float32):
            mean = (weights.astype(np.float32) + numpy_helper.to_array(ours).astype(np.float32)) / 2
            tensor.CopyFrom(numpy_helper.from_array(mean.astype(weights.dtype), tensor.name))
    onnx.checker.check_model(net)
    onnx.save(net, out)


def weights(graph: onnx.GraphProto) -> dict[str, np.ndarray]:
    """Return the weights in a graph by name, expanded."""
    kept = {tensor.name: numpy_helper.to_array(tensor).astype(np.float32) for tensor in graph.initializer}
    small = {
        name.removesuffix("_int"): kept[name] * kept[name.removesuffix("_int") + "_step"]
        for name in kept
        if name.endswith("_int")
    }
    return {name.removesuffix("_half"): array for name, array in kept.items()} | small


def thaw(net: nn.Module, model: Path, batch: torch.Tensor) -> None:
    """Load the weights of an ONNX file, in which batch norms are folded into the layers before them. The batch norms
    are unfolded by what `batch` shows them. A residual step that the file lacks starts as zero."""
    graph = onnx.load(model).graph
    known = weights(graph)
    modules = dict(net.named_modules())
    norms: dict[nn.Module, torch.Tensor] = {}
    with torch.no_grad():
        for node in graph.node:
            if node.op_type not in ("Conv", "Gemm"):
                continue
            parts = node.name.strip("/").split("/")[:-1]
            place = ".".join(a for a, b in zip(parts, [*parts[1:], ""], strict=True) if not b.startswith(f"{a}."))
            weight, bias = (torch.from_numpy(known[name].copy()) for name in node.input[1:3])
            module = modules[place]
            module.weight[: len(weight)] = weight
            if module.bias is not None:
                module.bias[: len(bias)] = bias
            else:
                home, _, last = place.rpartition(".")
                norms[modules[f"{home}.norm" if last == "step" else f"{home}.{int(last) + 1}"]] = bias
        for norm, bias in norms.items():
            norm.weight.fill_(1)
            norm.bias.copy_(bias)
            norm.running_var.fill_(1 - norm.eps)
        seen: dict[nn.Module, torch.Tensor] = {}
        hooks = [n.register_forward_pre_hook(lambda m, x: seen.__setitem__(m, x[0].detach())) for n in norms]
        net.eval()(batch)
        for hook in hooks:
            hook.remove()
        for norm, bias in norms.items():
            x = seen[norm]
            norm.running_mean.copy_(x.mean((0, 2, 3)))
            norm.running_var.copy_(x.var((0, 2, 3)))
            norm.weight.copy_((norm.running_var + norm.eps).sqrt())
            norm.bias.copy_(bias + norm.running_mean)
    net.train()


def begin_with(net: nn.Module, start: Path | None, batch: np.ndarray) -> None:
    """Continue from `start`: a checkpoint, or an ONNX file that ships."""
    if start is None:
        return
    if start.suffix == ".onnx":
        thaw(net, start, torch.from_numpy(batch.transpose(0, 3, 1, 2).astype(np.float32)))
    else:
        net.load_state_dict(torch.load(start), strict=False)
