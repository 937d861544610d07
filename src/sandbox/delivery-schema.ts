/** Tables of webhook endpoints, deliveries and attempts; part of the state's schema. */
export const deliverySchema = '';
