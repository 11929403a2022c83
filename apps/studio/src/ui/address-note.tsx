/** Says which values of the address are not used, and what is used instead. Nothing if all are. */
export function AddressNote({ problems }: { readonly problems: readonly string[] }) {
  if (problems.length === 0) return null;
  return (
    <div role="alert" class="problem" data-figure="address">
      The address of this page has values that can't be used:
      <ul>
        {problems.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </div>
  );
}
