"""Scenes: generated worlds and one's own maps, their pictures, and why a cell is dim."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable, Mapping
from os import PathLike
from pathlib import Path
from typing import Any

import numpy.typing as npt

from . import _core
from ._arrays import Cell, Floats, as_cell, as_cells, as_json, as_map


class Scene:
    """A land and the view of a viewer.

    In a notebook a scene is its picture.

    Parameters
    ----------
    preset : str, optional
        A file, or the name of a shipped preset: ``"temperate"`` (the default), ``"fog"``, ``"mist"``, ``"haze"``, ``"clear-day"``,
        ``"alpine"``, ``"archipelago"``, ``"jungle"``, ``"savanna"``, ``"night-lantern"``, ``"dungeon"``, ``"as-published"``;
        over heights ``"viewshed"`` (the default) and ``"terrain"``.
    seed : int, optional
        The seed of a generated world.
    viewer : (x, y), optional
        Column and row of the viewer. Default: a good viewpoint.
    settings : mapping, optional
        Keys of a preset: ``{"optics.fog_onset": 0.4}``. ``print(scene.preset)`` shows all of them with their values.
    opacity : array_like, optional
        A map of opacities in place of a generated world.
    heights : array_like, optional
        Metres over the sea in place of a generated world.
    cell_size : float or (float, float)
        The side of a cell of `heights` in metres, or its width and height.

    Examples
    --------
    >>> import farsight_fov as fs
    >>> scene = fs.Scene("fog", seed=7, settings={"world.width": 128, "world.height": 128})
    >>> scene.view().shape
    (128, 128)
    >>> scene.save("fog.png", scale=4)  # a picture of it
    >>> x, y = scene.viewer
    >>> scene.walk([(x + 3, y), (x + 3, y + 2)]).save("walk.gif", fps=8)
    """

    def __init__(
        self,
        preset: str | None = None,
        *,
        seed: int | None = None,
        viewer: Cell | None = None,
        settings: Mapping[str, Any] | None = None,
        opacity: npt.ArrayLike | None = None,
        heights: npt.ArrayLike | None = None,
        cell_size: float | tuple[float, float] | None = None,
    ) -> None:
        if opacity is not None and heights is not None:
            raise TypeError("opacity and heights: expected one of them")
        if heights is not None and cell_size is None:
            raise TypeError("cell_size: heights need the side of a cell in metres")
        changes = dict(settings or {})
        if seed is not None:
            changes["world.seed"] = seed
        sides = cell_size if isinstance(cell_size, tuple) else (cell_size or 1.0,) * 2
        self._scene = _core.NativeScene(
            preset,
            [(key, as_json({"": value}).removeprefix('{"": ').removesuffix("}")) for key, value in changes.items()],
            viewer=None if viewer is None else as_cell(viewer, "viewer"),
            opacity=None if opacity is None else as_map(opacity, "opacity"),
            heights=None if heights is None else as_map(heights, "heights"),
            cell_size=(float(sides[0]), float(sides[1])),
        )

    @property
    def viewer(self) -> Cell:
        """Column and row of the viewer. Assign a cell to move it there; no turn passes."""
        return self._scene.viewer

    @viewer.setter
    def viewer(self, cell: Cell) -> None:
        self._scene.place(as_cell(cell, "viewer"))

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        columns, rows = self._scene.size
        return rows, columns

    @property
    def preset(self) -> str:
        """The preset that makes the scene as it is now, as TOML."""
        return self._scene.preset

    @property
    def link(self) -> str:
        """The query of the link that shows the scene on the page of farsight."""
        return self._scene.link

    def view(self) -> Floats:
        """Return the visibility of every cell, from 0 to 1, without regard to light."""
        return self.layer("visibility")

    def layer(self, name: str) -> Floats:
        """Return a field of the scene.

        Parameters
        ----------
        name : str
            ``visibility``, ``perceived``, ``light``, ``opacity``, ``min-visible-height``, ``slope-margin``,
            ``elevation``, ``humidity``, ``vegetation``, ``temperature`` or ``biome``.
        """
        return self._scene.layer(name)

    def explain(self, target: Cell) -> str:
        """Return the explanation of the visibility of a cell, as a sentence."""
        return str(self.explain_losses(target)["sentence"])

    def explain_losses(self, target: Cell) -> dict[str, Any]:
        """Return the explanation of the visibility of a cell, in numbers.

        Returns
        -------
        dict
            ``viewer``, ``target``, ``radius``, the ``perceived`` visibility of the target from 0 to 1, the ``sentence``, and ``losses``: each
            has a ``cause``, its ``share`` and its ``places``, cells with their ``gain`` if they were clear.
        """
        losses: dict[str, Any] = json.loads(self._scene.explain(as_cell(target, "target")))
        return losses

    def summary(self) -> str:
        """Return a summary of the view, in two sentences."""
        return self._scene.summary()

    def step(self, dx: int, dy: int) -> bool:
        """Move the viewer one step, and let a turn pass. Return False if something is in the way."""
        return self._scene.step(dx, dy)

    def wait(self) -> None:
        """Let a turn pass."""
        self._scene.wait()

    def set_hour(self, hour: float) -> None:
        """Set the time of day, from 0 to below 24."""
        self._scene.set_hour(hour)

    def picture(self, scale: int | None = None) -> bytes:
        """Return the picture of the view, as the bytes of a PNG file of `scale` pixels per cell."""
        return self._scene.png(scale)

    def panorama(
        self, *, azimuth: float = 0.0, field: float = 360.0, width: int = 1440, height: int = 300
    ) -> bytes:
        """Return the panorama of the viewer, as the bytes of a PNG file.

        Parameters
        ----------
        azimuth : float
            The direction in the middle, in degrees: 0 north, 90 east.
        field : float
            The angle from the left edge to the right one, in degrees.
        width, height : int
            Pixels.
        """
        return self._scene.panorama(float(azimuth), float(field), (width, height))

    def walk(self, path: Iterable[Cell]) -> Walk:
        """Return the walk from the viewer through some cells, on the shortest routes. The scene stays as it is.

        Parameters
        ----------
        path : iterable of (x, y)
            The cells to pass.

        Raises
        ------
        ValueError, IndexError
            From `Walk.save`, if walls block every route to a cell, or it is off the map.
        """
        return Walk(self, path)

    def save(self, path: str | PathLike[str], *, layer: str = "visibility", scale: int | None = None) -> None:
        """Write a picture or the values of a layer; the extension of the file says which: ``.png``, ``.npy``, ``.csv``, ``.tif``, ..."""
        self._scene.save(path, layer, scale)

    def _repr_png_(self) -> bytes:
        return self.picture(max(1, 480 // max(self.shape)))

    def __repr__(self) -> str:
        return f"<Scene of {self.shape[0]} x {self.shape[1]} cells, viewer at {self.viewer}: {self.summary()}>"


class Walk:
    """A walk through a scene, which `Scene.walk` returns. In a notebook it is an animation."""

    def __init__(self, scene: Scene, path: Iterable[Cell]) -> None:
        self._scene = scene._scene
        self._path = as_cells(path, "path")

    def save(
        self,
        path: str | PathLike[str],
        *,
        scale: int | None = None,
        frame: tuple[int, int] | None = None,
        fps: float = 10.0,
        panorama: bool = False,
    ) -> None:
        """Write the walk as an animation: ``.gif``, or ``.apng`` in exact colours.

        Parameters
        ----------
        scale : int, optional
            Pixels per cell. Default: a picture of about 480 pixels.
        frame : (int, int), optional
            Columns and rows of the picture, which follows the viewer. Default: 120 x 80, or the whole map if it is smaller.
        fps : float
            Frames a second.
        panorama : bool
            True for the panorama of the viewer below the map.
        """
        film: _core._FilmRequest = {
            "scale": scale, "frame": frame, "frames_per_second": float(fps), "panorama": panorama
        }
        self._scene.save_walk(self._path, path, film)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, bytes]:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "walk.gif"
            self.save(file)
            return {"image/gif": file.read_bytes()}


def explain(
    land: npt.ArrayLike,
    viewer: Cell,
    target: Cell,
    *,
    cell_size: float | tuple[float, float] | None = None,
    settings: Mapping[str, Any] | None = None,
) -> str:
    """Return the explanation of the visibility of a cell, as a sentence.

    Parameters
    ----------
    land : array_like
        Opacities; with `cell_size`, heights in metres.
    viewer, target : (x, y)
        The cells of the viewer and of the target.
    cell_size : float or (float, float), optional
        The side of a cell in metres, or its width and height.
    settings : mapping, optional
        Keys of a preset: ``{"sight.radius": 100}``.

    Examples
    --------
    >>> import farsight_fov as fs
    >>> fs.explain([[0, 0, 0, 0.6, 0, 0, 0]], (0, 0), (6, 0))
    '(6, 0) is seen at 40 %. 60 % is lost: 60 % hedge at (3, 0).'
    """
    if cell_size is None:
        scene = Scene(opacity=land, viewer=viewer, settings=settings)
    else:
        scene = Scene(heights=land, cell_size=cell_size, viewer=viewer, settings=settings)
    return scene.explain(target)
