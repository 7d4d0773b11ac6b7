"use client";

import { useEffect } from "react";

import { Player } from "gambol";
import "gambol/element";

import "./page.css";

export function Character({ src }) {
  // What the tests make in addition.
  useEffect(() => void Object.assign(window, { Player }));
  return <gambol-player src={src} alt="A character" autoplay controls />;
}
