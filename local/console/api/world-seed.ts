export interface AppContents {
  readonly users: number;
  readonly groups: number;
  readonly members: number;
  readonly conversations: number;
  readonly messages: number;
  readonly deliveries: number;
}
