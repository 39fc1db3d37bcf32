import { mount } from "svelte";
import App from "./App.svelte";
import "./styles/colours.css";
import "./styles/elements.css";
import "./styles/home.css";
import "./styles/rules.css";
import "./styles/board.css";
import "./styles/moves.css";
import "./styles/inside.css";
import "./styles/narrow.css";

mount(App, { target: document.getElementById("app")! });
