// Replays the games of the page: a list, a board, and buttons to step through the plies.
(() => {
  const data = document.getElementById("games-data");
  const viewer = document.getElementById("viewer");
  if (!data || !viewer) return;
  const games = JSON.parse(data.textContent);
  const find = (name) => viewer.querySelector(name);
  const [list, board, slider, label] = ["select", "table", "input", "output"].map(find);
  let plies = [];
  const usual = "????/????/????/????/????/????/????/????";
  let opening = usual;

  // The 32 squares after so many plies: "?" is a face-down piece, "" an empty square.
  const after = (count) => {
    const squares = {};
    // Rows come from the eighth down; a digit stands for so many empty squares.
    opening.split("/").forEach((text, index) => {
      const row = text.replace(/[1-4]/g, (digit) => " ".repeat(Number(digit)));
      [...row].forEach((piece, column) => { squares["abcd"[column] + (8 - index)] = piece.trim(); });
    });
    for (const ply of plies.slice(0, count)) {
      const [from, to] = [ply.slice(0, 2), ply.slice(3, 5)];
      if (ply[2] === "(") {
        squares[from] = ply[3];
      } else {
        squares[to] = squares[from];
        squares[from] = "";
      }
    }
    return squares;
  };

  const show = (count) => {
    const squares = after(count);
    const last = count > 0 ? plies[count - 1] : "";
    const marked = last[2] === "(" ? [last.slice(0, 2)] : [last.slice(0, 2), last.slice(3, 5)];
    board.replaceChildren();
    for (let row = 8; row >= 1; row--) {
      const line = board.insertRow();
      line.insertCell().textContent = row;
      for (const column of "abcd") {
        const cell = line.insertCell();
        const piece = squares[column + row];
        cell.textContent = piece;
        cell.className = piece === "?" ? "down" : piece === "" ? "" : piece < "a" ? "red" : "black";
        if (marked.includes(column + row)) cell.classList.add("last");
      }
    }
    const foot = board.insertRow();
    for (const name of ["", "a", "b", "c", "d"]) foot.insertCell().textContent = name;
    slider.value = count;
    label.textContent = count === 0 ? "before the first ply" : `ply ${count} of ${plies.length}: ${last}`;
  };

  const step = (by) => {
    const count = Number(slider.value) + by;
    show(Math.max(0, Math.min(plies.length, count)));
  };
  const choose = () => {
    const game = games[list.selectedIndex];
    plies = game.plies.split(" ").filter((ply) => ply !== "");
    opening = game.opening ? game.opening.split(" ")[0] : usual;
    slider.max = plies.length;
    show(0);
  };

  for (const game of games) list.add(new Option(game.title));
  list.addEventListener("change", choose);
  slider.addEventListener("input", () => step(0));
  for (const button of viewer.querySelectorAll("button")) {
    button.addEventListener("click", () => step(Number(button.dataset.step)));
  }
  viewer.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: -1, ArrowRight: 1, Home: -1e6, End: 1e6 }[event.key];
    if (by === undefined || event.target === list || event.target === slider) return;
    event.preventDefault();
    step(by);
  });
  // A list of several rows begins with nothing chosen.
  list.selectedIndex = 0;
  choose();
})();
