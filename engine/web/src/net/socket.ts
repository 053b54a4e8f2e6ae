// The backend of `anqi serve`: a WebSocket to the server that the page came from.

import type { About } from "../wire";
import type { Backend, Listener } from "./backend";

export class SocketBackend implements Backend {
  readonly local = false;
  private socket: WebSocket | null = null;

  open(listener: Listener): void {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/ws`);
    this.socket = socket;
    socket.onopen = () => listener.opened();
    socket.onmessage = (event) => listener.heard(String(event.data));
    socket.onclose = () => listener.closed();
  }

  send(text: string): void {
    this.socket?.send(text);
  }

  async about(): Promise<About | null> {
    const answer = await fetch("/api/about").catch(() => null);
    return answer?.ok ? ((await answer.json()) as About) : null;
  }
}
