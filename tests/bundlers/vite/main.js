import "gambol/element";
import "./main.css";
