/** The page around the tasks: their names, the open one, what this browser lacks, and the footer. */
import { useEffect, useState } from "preact/hooks";
import { type ReadSettings, readSettings, type Settings, type SettingValues, writeSettings } from "../settings.ts";
import type { Task, TaskBody } from "../task.ts";
import { tasks } from "../tasks.ts";
import { AddressNote } from "../ui/address-note.tsx";
import { ErrorNote } from "../ui/error-note.tsx";
import { Abilities } from "./abilities.tsx";
import { addressAsLeft, addressOf, guideAddress, place, replaceQuery } from "./location.ts";
import { setTheme, type Theme, theme } from "./theme.ts";

export function App() {
  const { task: id, isEmbedded } = place.value;
  const task = tasks.find((one) => one.id === id) ?? (id === "" ? tasks[0] : undefined);
  useEffect(() => {
    document.title = task ? `${task.title} – dechirp studio` : "dechirp studio";
  }, [task]);
  const main = task ? <OpenTask key={task.id} task={task} /> : <UnknownTask id={id} />;
  if (isEmbedded) return <main class="studio embedded">{main}</main>;
  return (
    <>
      <Header open={task?.id} />
      <main class="studio">
        {main}
        <Abilities computed={task?.computed} />
      </main>
      <Footer />
    </>
  );
}

function Header({ open }: { readonly open: string | undefined }) {
  return (
    <header class="studio">
      <nav aria-label="Tasks">
        <a class="name" href={guideAddress()} title="Documentation">
          dechirp
        </a>
        <ul>
          {tasks.map(({ id, title }) => (
            <li key={id}>
              <a href={id === open ? addressOf(id) : addressAsLeft(id)} aria-current={id === open ? "page" : undefined}>
                {title}
              </a>
            </li>
          ))}
        </ul>
        <label class="theme">
          <span class="visually-hidden">Colours of the page</span>
          <select value={theme.value} onChange={({ currentTarget }) => setTheme(currentTarget.value as Theme)}>
            <option value="system">System</option>
            <option value="light">Light</option>
            <option value="dark">Dark</option>
          </select>
        </label>
      </nav>
    </header>
  );
}

function Footer() {
  return (
    <footer class="studio">
      <small>
        dechirp {__VERSION__} · MIT licence · <a href={__REPOSITORY__}>Repository</a> · <a href={guideAddress()}>Documentation</a> · All
        work is done in this page, and nothing is uploaded. A recording at an address is read from its server after you agree.
      </small>
    </footer>
  );
}

function UnknownTask({ id }: { readonly id: string }) {
  return (
    <section>
      <h1>No task {id}</h1>
      <p>
        The studio has{" "}
        {tasks.map(({ id, title }, i) => (
          <span key={id}>
            {i > 0 ? ", " : ""}
            <a href={addressOf(id)}>{title}</a>
          </span>
        ))}
        .
      </p>
    </section>
  );
}

/** Loads the body of a task and draws it with the settings of the address. */
function OpenTask({ task }: { readonly task: Task }) {
  const [body, setBody] = useState<TaskBody>();
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    task.load().then(setBody, setError);
  }, [task]);
  return (
    <>
      {place.value.isEmbedded ? null : (
        <hgroup>
          <h1>{task.title}</h1>
          <p>
            {task.summary} <a href={guideAddress(task.guide)}>How it works</a>
          </p>
        </hgroup>
      )}
      {error ? <ErrorNote error={error} /> : body ? <Body body={body} /> : <p aria-busy="true">Loading</p>}
    </>
  );
}

function Body({ body: { settings, View } }: { readonly body: TaskBody }) {
  const read: ReadSettings<Settings> = readSettings(settings, place.value.query);
  const change = (changed: Partial<SettingValues<Settings>>): void => {
    const { values } = readSettings(settings, place.value.query);
    replaceQuery(writeSettings(settings, { ...values, ...changed }));
  };
  return (
    <>
      <AddressNote problems={read.problems} />
      <View values={read.values} change={change} />
    </>
  );
}
