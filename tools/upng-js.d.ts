/** The part of upng-js (MIT, without its own types) that `pictures.ts` uses. */
declare module "upng-js" {
  export interface Image {
    width: number;
    height: number;
  }
  export function decode(png: ArrayBuffer | Uint8Array): Image;
  /** The frames as RGBA, 8 bits each. */
  export function toRGBA8(image: Image): ArrayBuffer[];
  /** A PNG, animated if there is more than one frame. `colours`: 0 keeps all; `delays` in milliseconds. */
  export function encode(
    frames: readonly ArrayBuffer[],
    width: number,
    height: number,
    colours: number,
    delays?: readonly number[],
  ): ArrayBuffer;
}
