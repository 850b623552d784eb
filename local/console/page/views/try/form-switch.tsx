/** Chooses how a body is edited. */
export function FormSwitch({ isForm, onChange }: { isForm: boolean; onChange: (isForm: boolean) => void }) {
  return (
    <div class="row pills">
      <button type="button" aria-pressed={isForm} onClick={() => onChange(true)}>
        Form
      </button>
      <button type="button" aria-pressed={!isForm} onClick={() => onChange(false)}>
        JSON
      </button>
    </div>
  );
}
